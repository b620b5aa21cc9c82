// Every call to the server goes through here. Nothing of a payload, a reason or a password is ever put into an address.
import { serverSaidItIs } from "./clock.js";
import { answered, silent } from "./connection.js";

const ROOT = new URL("../../api/v1/", import.meta.url);
const PATIENCE_MILLIS = 15_000;
const CHANGE_PATIENCE_MILLIS = 60_000;

/** What the server said, or that it said nothing (status 0). */
export class ApiError extends Error {
  constructor(status, title, detail, retryAfterSeconds = null) {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get isSilence() {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

let onSignInNeeded = () => {};

export function whenSignInIsNeeded(callback) {
  onSignInNeeded = callback;
}

export function get(path, query = {}, signal = undefined) {
  const address = new URL(path, ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") {
      address.searchParams.set(name, value);
    }
  }
  return call(address, { headers: { Accept: "application/json" } }, PATIENCE_MILLIS, signal);
}

export function post(path, body = {}) {
  const request = {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  return call(new URL(path, ROOT), request, CHANGE_PATIENCE_MILLIS);
}

/** A name as one part of a path. */
export function part(text) {
  return encodeURIComponent(text);
}

/** Lists come bare or wrapped as {"items": […]}; what has not come yet is empty. */
export function items(answer) {
  return Array.isArray(answer) ? answer : (answer?.items ?? []);
}

async function call(address, request, patience, signal) {
  const limits = [AbortSignal.timeout(patience)];
  if (signal) {
    limits.push(signal);
  }
  let response;
  try {
    response = await fetch(address, {
      ...request,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.any(limits),
    });
  } catch (cause) {
    if (signal?.aborted) {
      throw cause;
    }
    const error = unanswered(cause, patience);
    silent(error);
    throw error;
  }
  serverSaidItIs(response.headers.get("Date"));
  if (response.ok) {
    const body = response.status === 204 ? null : await json(response, address);
    answered();
    return body;
  }
  throw await refused(response);
}

function unanswered(cause, patience) {
  return cause.name === "TimeoutError"
    ? new ApiError(0, "The server took too long", `No answer within ${patience / 1000} s.`)
    : new ApiError(0, "The server does not answer", "The connection failed: is it running, and is the network up?");
}

async function json(response, address) {
  try {
    return await response.json();
  } catch {
    throw new ApiError(response.status, "Not understood", `${address.pathname} answered with something that is not JSON.`);
  }
}

async function refused(response) {
  let problem = {};
  try {
    problem = await response.json();
  } catch {
    // A proxy's page, perhaps; the status has to do.
  }
  const title = problem.title ?? (response.statusText || `Status ${response.status}`);
  const retryAfter = Number(response.headers.get("Retry-After")) || null;
  const error = new ApiError(response.status, title, problem.detail ?? "", retryAfter);
  if (error.isSilence) {
    silent(error);
  } else {
    answered();
  }
  if (response.status === 401) {
    onSignInNeeded();
  }
  return error;
}
