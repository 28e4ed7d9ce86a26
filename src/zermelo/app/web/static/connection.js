// The connection of this tab to its process. Messages go to all subscribers.

const PATIENCE = 5000; // milliseconds without an answer before the page shows a notice

export class Connection {
  constructor() {
    this.listeners = new Set();
    this.waiting = [];
    this.isOpen = false;
    this.session = 0; // counts the processes that this tab has had
    this.patience = 1000; // milliseconds before it reconnects; doubled while connections do not last
    this.unheard = 0; // messages that were not acknowledged yet
    this.behind = 0; // how many of them were sent before the address changed: their answers are outdated
    this.since = 0; // when the last one was acknowledged
    this.connect();
    setInterval(() => this.unheard && Date.now() - this.since > PATIENCE && this.tell({ kind: "silent" }), 1000);
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/ws`);
    const began = Date.now();
    this.socket.onopen = () => {
      this.isOpen = true;
      this.session += 1;
      this.tell({ kind: "open" });
      for (const message of this.waiting.splice(0)) this.send(message);
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.kind === "heard" || message.kind === "error") this.since = Date.now();
      const outdated = this.behind > 0;
      if (message.kind === "heard") [this.unheard, this.behind] = [this.unheard, this.behind].map((n) => Math.max(n - 1, 0));
      if (message.kind === "error") this.unheard = this.behind = 0; // a refused message is not processed
      this.tell({ ...message, outdated });
    };
    this.socket.onclose = () => {
      this.isOpen = false;
      this.unheard = this.behind = 0;
      this.tell({ kind: "closed" });
      this.patience = Date.now() - began > 10_000 ? 1000 : Math.min(2 * this.patience, 30_000);
      setTimeout(() => this.connect(), this.patience);
    };
  }

  tell(message) {
    for (const listen of [...this.listeners]) listen(message);
  }

  // Returns a function that unsubscribes.
  subscribe(listen) {
    this.listeners.add(listen);
    return () => this.listeners.delete(listen);
  }

  send(message) {
    if (!this.isOpen) {
      this.waiting.push(message);
      return;
    }
    this.socket.send(JSON.stringify(message));
    if (!this.unheard++) this.since = Date.now();
  }

  // Send the message that opens the game of the address: answers to earlier messages are outdated.
  turnTo(message) {
    this.behind = this.unheard;
    this.send(message);
  }

  // Abandon the process, and start another one with the position of the address.
  begin() {
    this.patience = 100;
    this.socket.close();
  }
}
