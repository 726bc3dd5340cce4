// The component that is asked what drawings cost; it shows nothing. Like frames.js, it is in a part
// of the page that reruns by itself, and meets the stage in `window.chalkline`; see room/judge.js.

/** @param {{data: any, setStateValue: (what: string, value: any) => void}} component */
export default function ({ data, setStateValue }) {
  const exchange = (window.chalkline ??= {});
  const judge = (/** @type {any} */ drawings) => setStateValue("drawings", drawings);
  exchange.judge = judge;
  if (data) exchange.judged?.(data);
  return () => {
    if (exchange.judge === judge) exchange.judge = null;
  };
}
