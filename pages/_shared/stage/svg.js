/** Return a part of a picture. @param {string} kind @param {Record<string, any>} [how] its attributes @returns {any} */
export function svgNode(kind, how = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(how)) node.setAttribute(name, value);
  return node;
}
