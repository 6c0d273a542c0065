/** A scenario's name as a folder on disk, where some systems forbid a colon. */
export const toFolderName = (name: string): string => name.replace(':', '@');
export const fromFolderName = (folder: string): string => folder.replace('@', ':');
