// The stage's own component: it passes Python's messages to the scripts, which another component
// carries.

export default function (component) {
  const exchange = (window.chalkline ??= {});
  let leave, gone = false;
  const begin = () => {
    if (!gone) leave = exchange.mountStage(component);
  };
  if (exchange.mountStage) begin();
  else exchange.onScripts = begin;
  return () => {
    gone = true;
    leave?.();
  };
}
