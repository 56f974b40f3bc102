// Text of the models' language, with colours: a text area over its coloured twin.

import { h } from "./dom";

const WORDS = new RegExp(
  [
    String.raw`(?<comment>//[^\n]*|/\*[\s\S]*?(?:\*/|$)|--[^\n]*)`,
    String.raw`(?<keyword>\b(?:const|typedef|struct|if|else|for|while|do|return|forall|exists|sum|process|state|init|trans|commit|urgent|broadcast|system|select|guard|sync|assign|imply|and|or|not|true|false|MODULE|VAR|ASSIGN|DEFINE|INIT|TRANS|INVAR|SPEC|CTLSPEC|LTLSPEC|INVARSPEC|FAIRNESS|case|esac|next)\b)`,
    String.raw`(?<type>\b(?:int|bool|clock|chan|void|meta|scalar|lattice|extern|boolean|word)\b)`,
    String.raw`(?<number>\b\d+\b)`,
  ].join("|"),
  "g",
);

function paint(text: string): Node[] {
  const nodes: Node[] = [];
  let last = 0;
  for (const match of text.matchAll(WORDS)) {
    const kind = Object.entries(match.groups!).find(([, found]) => found !== undefined)![0];
    nodes.push(new Text(text.slice(last, match.index)), h("span", { class: kind }, match[0]));
    last = match.index + match[0].length;
  }
  nodes.push(new Text(`${text.slice(last)}\n`));
  return nodes;
}

/** Too long a text is shown plain: colours would take longer than a key press. */
const LONGEST = 60_000;

/** An editor; `set` is called when the text was left. */
export function coloured(label: string, text: string, set: (text: string) => void): HTMLElement {
  const area = h("textarea", { spellcheck: "false", "aria-label": label, wrap: "off" });
  const twin = h("pre", { "aria-hidden": "true" });
  area.value = text;
  const update = (): void => {
    const plain = area.value.length > LONGEST;
    box.classList.toggle("plain", plain);
    twin.replaceChildren(...(plain ? [] : paint(area.value)));
  };
  const scroll = (): void => {
    twin.scrollTop = area.scrollTop;
    twin.scrollLeft = area.scrollLeft;
  };
  area.addEventListener("input", update);
  area.addEventListener("scroll", scroll);
  area.addEventListener("change", () => area.value !== text && set(area.value));
  area.addEventListener("keydown", (event) => {
    if (event.key === "s" && (event.ctrlKey || event.metaKey)) area.blur();
  });
  const box = h("div", { class: "coloured" }, twin, area);
  update();
  return box;
}
