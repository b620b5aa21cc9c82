// Where one came from, so that the way back from a message leads to the same list with the same filters.
export const trail = { list: null };
