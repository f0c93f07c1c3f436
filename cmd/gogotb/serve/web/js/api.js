// Questions to the server.

const root = "api/v1/";

// connection hears "away" whenever the server cannot be reached.
export const connection = new EventTarget();

const patience = 40000; // milliseconds

// ApiError is an answer other than 200: status, and the code and the message that the server gives. Status 0:
// the server cannot be reached.
export class ApiError extends Error {
  constructor(status, message, code = "") {
    super(message);
    this.status = status;
    this.code = code;
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
  if (!response.ok) throw new ApiError(response.status, body.error?.message ?? response.statusText, body.error?.code);
  return body;
}

export const aborted = (error) => error.name === "AbortError";
