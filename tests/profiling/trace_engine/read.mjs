// Opens a trace with the engine of Chrome's DevTools and prints what that found, as JSON.
import fs from 'node:fs';
import * as Trace from '@paulirish/trace_engine/models/trace/trace.js';

globalThis.DOMRect ??= class DOMRect {}; // which the engine has from a browser

const { traceEvents } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const model = Trace.TraceModel.Model.createWithAllHandlers();
await model.parse(traceEvents);
const { data } = model.parsedTrace();

const threads = Trace.Handlers.Threads.threadsInTrace(data).map((thread) => ({
  process: data.Meta.processNames.get(thread.pid)?.args.name,
  name: thread.name,
  depth: thread.tree.maxDepth,
  slices: thread.entries.map(({ name, cat, ts, dur, args }) => ({ name, cat, ts, dur, args })),
}));
console.log(JSON.stringify({ isGeneric: data.Meta.traceIsGeneric, threads }));
