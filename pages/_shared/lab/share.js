// Behind the Share button: tells Python what the address is, and shows the link that it makes of it.

export default function ({ data, parentElement, setStateValue }) {
  const { address, link, embed, svg, notes } = data;
  if (address !== location.href) setStateValue("address", location.href);
  const find = (selector) => parentElement.querySelector(selector);
  const all = (selector) => [...parentElement.querySelectorAll(selector)];
  const [fields, buttons, says] = [all("textarea"), all(".share-copy"), all("[role=status]")];
  [link, embed].forEach((text, i) => {
    fields[i].value = text;
    says[i].textContent = "";
    buttons[i].onclick = async () => {
      says[i].textContent = (await copied(fields[i])) ? "Copied." : "Press Ctrl+C.";
    };
  });
  const dialog = find("dialog");
  const [small, large] = all(".share-code");
  small.hidden = !svg;
  for (const code of [small, large]) code.innerHTML = svg; // drawn by segno
  small.onclick = () => dialog.showModal();
  large.onclick = () => dialog.close();
  find(".share-notes").replaceChildren(...notes.map(paragraph));
}

// Browsers give pages the clipboard over https, or on their own machine; others have the old way.
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
