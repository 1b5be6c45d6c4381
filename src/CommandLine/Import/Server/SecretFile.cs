namespace Raven.CommandLine.Import.Server;

/// <summary>
/// Secrets come from a file or from standard input: an argument is in the list of processes and in the shell's history.
/// </summary>
internal static class SecretFile
{
    /// <summary>The first line of a file; <c>-</c> is standard input.</summary>
    /// <exception cref="IOException">It cannot be read, or is empty.</exception>
    internal static string ReadLine(string path)
    {
        string? line = path == "-" ? Console.In.ReadLine() : File.ReadLines(path).FirstOrDefault();
        return !string.IsNullOrEmpty(line) ? line : throw new IOException($"{path} has no line with a secret.");
    }
}
