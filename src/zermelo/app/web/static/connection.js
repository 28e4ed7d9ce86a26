// The one connection of this tab to its own process: what it says goes to whoever has subscribed.

export class Connection {
  constructor() {
    this.listeners = new Set();
    this.waiting = [];
    this.isOpen = false;
    this.patience = 1000; // before it tries again: longer each time where connections do not last
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/ws`);
    const began = Date.now();
    this.socket.onopen = () => {
      this.isOpen = true;
      this.tell({ kind: "open" });
      for (const message of this.waiting.splice(0)) this.send(message);
    };
    this.socket.onmessage = (event) => this.tell(JSON.parse(event.data));
    this.socket.onclose = () => {
      this.isOpen = false;
      this.tell({ kind: "closed" });
      this.patience = Date.now() - began > 10_000 ? 1000 : Math.min(2 * this.patience, 30_000);
      setTimeout(() => this.connect(), this.patience);
    };
  }

  tell(message) {
    for (const listen of [...this.listeners]) listen(message);
  }

  // Returns how to end it.
  subscribe(listen) {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  send(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
    else this.waiting.push(message);
  }
}
