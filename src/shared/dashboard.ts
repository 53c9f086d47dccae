// How much a dashboard shows: the server and the device's copy answer alike.

export const monthsShown = 12
export const attentionShown = 6
