// A connection to one page of the server, made again when it is cut; the server holds all state.
const STATES = ["table", "log", "study", "coach"]; // of these a view gets the last one when it opens

export function makeLine(page, { receive, changed }) {
  let socket, wait = 300, unsent = [];
  const line = { state: null, isOpen: false, tries: 0, send };

  // What is sent while the line opens goes as soon as it is open; on a cut line nothing is kept.
  function send(message) {
    const text = JSON.stringify(message);
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    else if (socket.readyState === WebSocket.CONNECTING) unsent.push(text);
  }

  function tell(isOpen) { line.isOpen = isOpen; changed(line); }

  function connect() {
    const root = location.pathname.slice(0, location.pathname.lastIndexOf("/") + 1);
    socket = new WebSocket(`ws://${location.host}${root}${page === "index" ? "" : `${page}/`}ws`);
    socket.onopen = () => { wait = 300; line.tries = 0; unsent.splice(0).forEach((text) => socket.send(text)); tell(true); };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (STATES.includes(message.type)) line.state = message;
      receive(line, message);
    };
    socket.onclose = () => { unsent = []; line.tries += 1; tell(false); setTimeout(connect, wait = Math.min(2 * wait, 5000)); };
  }

  connect();
  return line;
}
