"""A PyInstaller hook: modules that are loaded by name, and the versions in cache keys."""

from importlib.util import find_spec

from PyInstaller.utils.hooks import collect_submodules, copy_metadata

hiddenimports = collect_submodules("jitframe")
datas = copy_metadata("llvmlite") + copy_metadata("jitframe")
# A checkout has no module that holds the native runtime's sources: they go along as files.
module_collection_mode = "pyz" if find_spec("jitframe.built_texts") else "pyz+py"
