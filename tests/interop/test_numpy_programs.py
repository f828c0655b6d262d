"""`import jitframe as np`: expressions and statements of NumPy programs, on Tensors and on ndarrays.

Each line is run by NumPy on an ndarray, by NumPy on a Tensor (its protocols), and by jitframe under NumPy's
name on a Tensor; values, shapes and dtypes are the same, and so are the classes of errors.
"""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.numpy_names import PASSED_ON
from tests.functions.compare import interpreted

SOURCES = {
    "float64": np.arange(12.0).reshape(3, 4) - 4,
    "float32": np.arange(12, dtype="float32").reshape(3, 4) / 3,
    "int32": np.arange(12, dtype="int32").reshape(3, 4),
    "uint8": np.arange(12, dtype="uint8").reshape(3, 4),
    "bool": np.arange(12).reshape(3, 4) % 2 == 0,
    "complex128": (np.arange(12) * (1 + 2j)).reshape(3, 4),
}
EXPRESSIONS = """
x[1]
x[1,2]
x[-1,::2]
x[::-1]
x[...,None]
x[[0,2]]
x[x>3]
x[:,[1,0]]
x[np.array([0,1]),np.array([1,2])]
x[1:1]
x[()]
x[...]
x[None]
x[True]
x[1][2]
x[1,2].shape
list(x)[1]
[r.sum() for r in x]
x.tolist()
str(x)
f"{x[1,1]:.2f}" if x.dtype.kind!='b' and x.dtype.kind!='c' else 0
repr(x.T.shape)
len(x)
4 in x
x.flat[5]
list(x.flat)[3]
x.size,x.nbytes,x.itemsize,x.ndim,x.strides,x.T.strides,x[:,1].strides
x.base is None
x.view().base is x
x.T.base is x
bool(x[0,0])
int(x[1,1].real)
float(x[1,1].real)
x.min(), x.max()
x.argmax(axis=1)
x.cumsum()
x.round(1)
x.astype('f4')
x.astype('i8',casting='unsafe')
x.conj()
x.real
x.imag
x.any(axis=0),x.all()
x.prod(axis=0)
x.std() if x.dtype.kind!='b' else 0
x.var(ddof=1)
x.ptp() if hasattr(x,'ptp') else 0
x.ravel('F')
x.reshape(4,3).T
x.reshape(-1)
x.reshape(2,-1,2)
x.swapaxes(0,1)
x.transpose(1,0)
x.squeeze()
x.flatten()
x.copy()
x.repeat(2,axis=0)
x.take([1,2],axis=1)
x.clip(1,5)
x.diagonal()
x.trace()
x.dot(x.T)
x@x.T
x.sum(axis=0,keepdims=True)
x.mean(axis=(0,1))
x.nonzero()
x.argsort(axis=0)
np.sort(x,axis=0)
-x if x.dtype!=bool else 0
+x if x.dtype!=bool else 0
~x if x.dtype.kind in 'biu' else 0
abs(x)
x+1
x*2.5
x/2
x//2 if x.dtype.kind!='c' else 0
x%3 if x.dtype.kind!='c' else 0
x**2
2**x
divmod(x,3) if x.dtype.kind not in 'cb' else 0
x==x
x!=1
x<3
x==None
x=='a'
x==[1,2,3,4]
x is None
x&1 if x.dtype.kind in 'biu' else 0
x|True if x.dtype.kind in 'biu' else 0
x^x if x.dtype.kind in 'biu' else 0
x<<1 if x.dtype.kind in 'iu' else 0
x+np.float32(1)
np.float32(1)+x
np.float64(2)*x
x+np.int64(1)
x+np.arange(4)
np.arange(4)+x
x+[1,2,3,4]
[1,2,3,4]+x
(1,2,3,4)*x
x+True
x.T+x.T
np.add(x,1)
np.add.reduce(x)
np.add.accumulate(x)
np.multiply.outer(x[0],x[0])
np.maximum.reduce(x,axis=1)
np.where(x>3,x,0)
np.concatenate([x,x])
np.stack([x,x],axis=-1)
np.vstack([x,x[0]])
np.hstack([x,x])
np.split(x,2,axis=1)
np.tile(x,(2,1))
np.pad(x,1)
np.roll(x,1,axis=1)
np.flip(x)
np.rot90(x)
np.unique(x)
np.diff(x)
np.cumsum(x,axis=0)
np.median(x)
np.percentile(x,30)
np.einsum('ij,kj->ik',x,x)
np.tensordot(x,x.T,1)
np.outer(x[0],x[1])
np.kron(x[:2,:2],x[:2,:2])
np.isclose(x,x)
np.allclose(x,x)
np.array_equal(x,x)
np.linalg.norm(x)
np.fft.fft(x)
np.meshgrid(x[0],x[1])
np.broadcast_to(x[0],(2,4))
np.zeros_like(x)
np.full_like(x,3)
np.empty_like(x).shape
np.array([x[0,0],x[0,1]])
np.nan_to_num(x)
np.count_nonzero(x)
np.bincount(x[1]) if x.dtype.kind in 'iu' else 0
np.interp(1.5,x[0].real,x[1].real)
np.trapezoid(x)
np.convolve(x[0],x[1])
np.histogram(x.real)[0]
np.digitize(x.real,np.array([1,2]))
np.ix_(x[0]>1,x[1]>2)
np.apply_along_axis(lambda r:r.sum(),1,x)
np.iscomplexobj(x)
np.result_type(x,np.float32)
np.can_cast(x.dtype,'f8')
np.size(x),np.ndim(x),np.shape(x)
np.isin(x,[1,2])
np.atleast_3d(x).shape
np.expand_dims(x,0).shape
np.ravel(x)
np.argwhere(x>3)
np.flatnonzero(x)
np.lexsort((x[0].real,x[1].real))
np.cov(x)
np.corrcoef(x+np.eye(3,4))
np.ptp(x) if x.dtype!=bool else 0
np.average(x,axis=0)
np.gradient(x) if x.dtype.kind not in 'b' else 0
np.cross(x[:,:3],x[:,1:]) if x.dtype!=bool else 0
np.vander(x[0])
np.select([x>3],[x],0)
np.choose([0,1,0,1],x[:2])
np.triu(x)
np.partition(x,1)
np.searchsorted(np.arange(5),x.real)
np.real(x)
np.angle(x)
np.sign(x) if x.dtype!=bool else 0
np.copysign(x,-1) if x.dtype.kind!='c' else 0
np.rint(x)
np.exp(x)
np.hypot(x,x) if x.dtype.kind!='c' else 0
np.fromiter((v for v in x[0]),x.dtype)
x.item(3)
x[0].tolist()
sum(x)
max(x[0].real)
sorted(x[0].real)
x.sum(dtype='f4')
np.sum(x,where=x>1,axis=0)
np.add(x,1,where=x>1,out=np.zeros_like(x)) if 0 else 0
x.max(initial=3) if x.dtype.kind!='c' and x.dtype!=bool else 0
hash(x)
x.tobytes()
x.dtype.kind
round(x[1,1]) if x.dtype.kind=='f' else 0
complex(x[1,1])
x[0,0].item()
type(x.sum()).__name__!=''
x if x.any() else 0
{1:x}[1]
x[1:,1:][0,0]
x[x[:,0]>0]
x[:,x[0]>0]
x[np.nonzero(x)]
x[[True,False,True]]
x[1.0]
x[5]
x[0,0,0]
x[[5]]
x+np.ones(5)
x.reshape(5)
x@x
x.sum(axis=3)
if_ambiguous(x)
len(x[0,0])
x.astype('nope')
iter(x[0,0])
x.foo
""".strip().splitlines()
STATEMENTS = """
x[1]=0
x[1,2]=3
x[:,0]=x[:,1]
x[::2]=7
x[x>3]=0
x[[0,2]]=x[[2,0]]
x[...]=1
x+=1
x-=x[0]
x*=2
x[0]+=5
x[:,1]*=2
x[1:]+=x[:-1]
x[::-1]+=x
x.T[0]=9
x.flat[3]=1
x.flat=5
x.fill(2)
x.sort(axis=0)
x.partition(1)
x.put([0,1],[5,6])
x[0,1]+=1
y=x[0];y[1]=99
y=x.T;y+=1
y=x.reshape(-1);y[0]=50
y=x[[0]];y[0]=3
y=x.copy();y[0]=1
y=x.ravel();y[2]=8
y=x.real;y[0]=4
y=x.view();y[0]=2
np.add.at(x,([0,0],[1,1]),1)
np.put(x,[1],7)
np.putmask(x,x>2,0)
np.place(x,x>2,[1,2])
np.fill_diagonal(x,6)
np.multiply(x,2,x)
x|=1
x/=2
x//=2
x**=2
x[1]=[1,2,3,4]
x[1]=[1,2]
x[5]=1
x[:,None]=1
x[0]=x
x[...,1]=[7,8,9]
x[[0,0,1]]+=1
x[(x>2)&(x<6)]*=2
x[1:1]=5
del x[0]
x.T[...]=x.T*2
x[0],x[1]=x[1].copy(),x[0].copy()
x.real=3
x.imag=1
x.clip(0,3,out=x)
np.clip(x,0,3,out=x)
np.exp(x,out=x)
""".strip().splitlines()
"""Each changes `x`; what it calls `y` is looked at too."""


def if_ambiguous(x: Any) -> int:
    return 1 if x else 0


def plain(value: Any) -> Any:
    if isinstance(value, jf.Tensor):
        return value.numpy()
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, list) or isinstance(theirs, list):
        both = isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs)
        return both and all(map(same, ours, theirs))
    if isinstance(ours, (np.ndarray, np.generic)) or isinstance(theirs, (np.ndarray, np.generic)):
        first, second = np.asarray(ours), np.asarray(theirs)
        if first.shape != second.shape or first.dtype != second.dtype:
            return False
        return np.allclose(first, second, rtol=1e-5, atol=1e-6, equal_nan=True)
    return bool(ours == theirs)


def answer(line: str, x: Any, namespace: Any, is_statement: bool) -> tuple[Any, Exception | None]:
    names = {"x": x, "np": namespace, "if_ambiguous": if_ambiguous}
    try:
        if is_statement:
            exec(line, names)
            return [plain(names["x"]), plain(names.get("y"))], None
        return plain(eval(line, names)), None
    except Exception as error:  # any: this is what is compared
        return None, error


def alike(ours: Exception, theirs: Exception) -> bool:
    """Whether who catches NumPy's error catches ours."""
    kinds = [kind for kind in type(theirs).__mro__ if kind not in (Exception, BaseException, object)]
    return isinstance(ours, tuple(kinds))


@pytest.mark.parametrize("dtype", SOURCES)
@pytest.mark.parametrize("kind", ["expressions", "statements"])
def test_programs(kind: str, dtype: str) -> None:
    """Takes seconds: it runs some hundred programs, those of float64 compiled, others interpreted."""
    wrong = []
    source = SOURCES[dtype]
    is_statement = kind == "statements"
    with warnings.catch_warnings(), nullcontext() if dtype == "float64" else interpreted():
        warnings.simplefilter("ignore")  # of divisions by zero, and of what NumPy deprecates
        for line in STATEMENTS if is_statement else EXPRESSIONS:
            wanted, error = answer(line, source.copy(), np, is_statement)
            for namespace in (np, jf):
                found, mistake = answer(line, jf.asarray(source.copy()), namespace, is_statement)
                if error is None or mistake is None:
                    right = error is mistake and same(found, wanted)
                else:
                    right = alike(mistake, error)
                if not right:
                    wrong.append(
                        f"{namespace.__name__}: {line}: {mistake or found!r}, not {error or wanted!r}"
                    )
    assert not wrong, "\n".join(wrong)


def test_names_that_are_numpys_own() -> None:
    for name in PASSED_ON:
        assert getattr(jf, name) is getattr(np, name), name
    assert jf.ndarray is jf.Tensor and isinstance(jf.ones(2), jf.ndarray)
    assert jf.ones(3)[jf.s_[1:]].shape == (2,)


def test_methods_of_ufuncs() -> None:
    x = np.arange(12.0).reshape(3, 4)
    for name in ("add", "multiply", "maximum", "logical_and", "subtract"):
        ours, theirs = getattr(jf, name), getattr(np, name)
        np.testing.assert_array_equal(ours.reduce(jf.asarray(x)).numpy(), theirs.reduce(x))
        np.testing.assert_array_equal(
            ours.accumulate(jf.asarray(x), axis=1).numpy(), theirs.accumulate(x, axis=1)
        )
        np.testing.assert_array_equal(ours.outer(x[0], x[1]).numpy(), theirs.outer(x[0], x[1]))
    traced = jf.jit(lambda x: jf.add.reduce(x, axis=1) + jf.maximum.reduce(x, axis=1))
    np.testing.assert_array_equal(traced(x), x.sum(axis=1) + x.max(axis=1))
    tensor = jf.asarray(x.copy())
    jf.add.at(tensor, ([0, 0], [1, 1]), 1.0)
    assert tensor[0, 1] == 3
