// The component that carries all scripts of the stage and shows nothing. Its message is the same at
// every rerun, so Streamlit sends it once per visit.

import { mountStage } from "../stage.js";

export default function () {
  const exchange = (window.chalkline ??= {});
  exchange.mountStage = mountStage;
  exchange.onScripts?.();
  exchange.onScripts = null;
}
