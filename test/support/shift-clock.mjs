// For `node --import`: the process sees the machine's clock off by CLOCK_SHIFT_MS. Timers and performance.now() stay right.
const RightDate = Date;
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const now = () => RightDate.now() + shiftMs;

globalThis.Date = new Proxy(RightDate, {
  construct: (target, fields, newTarget) =>
    Reflect.construct(target, fields.length === 0 ? [now()] : fields, newTarget),
  apply: () => new RightDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
