/** Whoever tests stolen cards needs many tries. A person whose own cards are declined rarely needs more than three. */
export const maxDeclinesOfPayment = 5;
export const maxDeclinesADay = 15;
