namespace Raven.CommandLine.Import.Verbs;

/// <summary>A file of this machine cannot be made or written: nothing of it is the server's fault.</summary>
/// <param name="cause">What the system says.</param>
internal sealed class FileFailedException(Exception cause) : IOException(cause.Message, cause);
