// onnxruntime 1.30 tells its maker what it runs, and leaves a log in the temporary folder and a device's identity below the home
// folder, unless this is set when its first session opens. Threads see the main thread's environment, so that it must be set there.
process.env.ORT_DISABLE_TELEMETRY ??= '1';
