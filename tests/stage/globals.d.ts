// What the type checker cannot know: see tsconfig.json beside this file.

interface Window {
  /** What the stage's components share. */
  chalkline: import("../../pages/_shared/stage/frame_channel.js").Exchange;
  /** Streamlit loads it. */
  Plotly: any;
}

// Plotly keeps its axes at the element that it draws in.
interface HTMLElement {
  _fullLayout?: any;
  on?: (what: string, listener: () => void) => void;
}

// Only stage.html knows which kind of element a selector finds.
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  /** HTML and SVG have it alike. */
  style: CSSStyleDeclaration;
  /** What the stage notes at what it has drawn: where it is, how large, and its look. */
  pixel?: number[];
  radius?: number;
  look?: string;
  place?: string;
  /** It writes whatever it is given. */
  setAttribute(name: string, value: string | number | boolean): void;
}
