// The script of the Share button: sends Python the address, and shows the link made from it.

export default function ({ data, parentElement, setStateValue }) {
  const { address, link, embed, svg, notes } = data;
  if (address !== location.href) setStateValue("address", location.href);
  const find = (selector) => parentElement.querySelector(selector);
  const all = (selector) => [...parentElement.querySelectorAll(selector)];
  const [fields, buttons] = [all("textarea"), all(".share-copy")];
  const say = (text) => (find("[role=status]").textContent = text);
  say("");
  [link, embed].forEach((text, i) => {
    fields[i].value = text;
    buttons[i].onclick = async () => say((await copied(fields[i])) ? "Copied." : "Press Ctrl+C.");
  });
  const dialog = find("dialog");
  const [small, large] = all(".share-code");
  small.hidden = !svg;
  for (const code of [small, large]) code.innerHTML = svg; // drawn by segno, so it is safe as HTML
  small.onclick = () => dialog.showModal();
  large.onclick = () => dialog.close();
  find(".share-notes").replaceChildren(...notes.map(paragraph));
}

// Browsers allow the clipboard only over https or on the local machine; otherwise use the old
// command.
async function copied(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

function paragraph(text) {
  const node = document.createElement("p");
  node.textContent = text;
  return node;
}
