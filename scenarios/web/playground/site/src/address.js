// The address of the page has its whole state: reloading it, or sending it to somebody, loses nothing.
import { write } from "./link.js";

export class Address {
  constructor() {
    // link is what was written last, which may be newer than the address: browsers limit how often it may change.
    this.link = "";
    this.turn = 0;
  }

  // put writes a state; later ones win.
  async put(state) {
    const turn = ++this.turn;
    const link = await write(state);
    if (turn !== this.turn) return;
    this.link = link;
    this.show();
  }

  show() {
    try {
      if (this.link) history.replaceState(null, "", this.link);
    } catch {
      /* too often, or forbidden in a frame */
    }
  }

  // copy puts the link on the clipboard, and returns it.
  async copy() {
    this.show();
    await navigator.clipboard.writeText(location.href);
    return location.href;
  }
}
