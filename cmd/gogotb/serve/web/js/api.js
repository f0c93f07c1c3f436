// Questions to the server.

const root = "api/v1/";

// connection hears "away" whenever the server cannot be reached.
export const connection = new EventTarget();

const patience = 40000; // milliseconds

// ApiError is an answer other than 200: status, the code and the message that the server gives, and all that it says.
// Status 0: the server cannot be reached.
export class ApiError extends Error {
  constructor(status, message, details = {}) {
    super(message);
    this.status = status;
    this.code = details.code ?? "";
    this.details = details;
  }
}

const gateway = [502, 503, 504]; // what stands before a server that is away says so

// get asks for a path with parameters; undefined ones are left out. An AbortSignal cancels.
export async function get(path, parameters = {}, signal = undefined, cache = "default") {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) if (value !== undefined && value !== "") query.set(key, value);
  return ask(`${root}${path}${query.size > 0 ? `?${query}` : ""}`, { signal, cache });
}

export async function post(path, body, signal) {
  return ask(root + path, { method: "POST", body, signal });
}

// stream asks for what comes bit by bit, and yields it value by value: JSON, one a line. A signal ends it.
export async function* stream(path, body, signal) {
  let rest = "";
  try {
    const response = await fetch(root + path, { method: body === undefined ? "GET" : "POST", body, signal });
    if (!response.ok) throw refused(response, await response.json().catch(() => ({})));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const value = JSON.parse(line);
        if (value.error?.code) throw refused(response, value);
        yield value;
      }
    }
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error;
    connection.dispatchEvent(new Event("away"));
    throw new ApiError(0, "");
  }
}

// refused is the error that an answer tells of.
const refused = (response, body) => new ApiError(response.status, body.error?.message ?? response.statusText, body.error);

async function ask(address, options) {
  const limit = AbortSignal.timeout(patience);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  let response;
  let body;
  try {
    response = await fetch(address, { ...options, signal });
    body = await response.json();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const answered = response && error instanceof SyntaxError && !gateway.includes(response.status);
    if (answered) throw new ApiError(response.status, response.statusText);
    connection.dispatchEvent(new Event("away"));
    throw new ApiError(0, "");
  }
  if (!response.ok) throw refused(response, body);
  return body;
}

export const aborted = (error) => error.name === "AbortError";
