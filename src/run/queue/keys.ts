/** The assignment of a run, in Redis. */
export const assignmentKey = (id: string): string => `sceneshift:assignment:${id}`;
