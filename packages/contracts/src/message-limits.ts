/** The longest text of a message, a reply or a question. */
export const longestMessage = 4_000;
