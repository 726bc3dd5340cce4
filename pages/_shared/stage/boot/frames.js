// The other component: it shows nothing. It stands in a part of the page that runs by itself, so
// that frames are drawn while nothing else is; frame_channel.js is its counterpart on the stage. The two
// share one object and nothing else, for Streamlit loads them as separate modules.

export default function ({ data, setStateValue }) {
  const exchange = (window.chalkline ??= {});
  const ask = (wanted) => setStateValue("wanted", wanted);
  exchange.ask = ask;
  if (data) exchange.deliver?.(data);
  return () => {
    if (exchange.ask === ask) exchange.ask = null;
  };
}
