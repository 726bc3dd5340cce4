// The component that receives frames; it shows nothing. It is in a part of the page that reruns by
// itself, so that drawing frames reruns nothing else. Its counterpart on the stage is
// frame_channel.js. Streamlit loads the two as separate modules, so they share only the object
// `window.chalkline`.

export default function ({ data, setStateValue }) {
  const exchange = (window.chalkline ??= {});
  const ask = (wanted) => setStateValue("wanted", wanted);
  exchange.ask = ask;
  if (data) exchange.deliver?.(data);
  return () => {
    if (exchange.ask === ask) exchange.ask = null;
  };
}
