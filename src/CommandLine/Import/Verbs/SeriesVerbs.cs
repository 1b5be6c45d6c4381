using System.IO.Compression;
using System.Net;
using System.Text.Json;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Import.Verbs;

/// <summary>Writes a time series into a file, and reads one: what the server writes is copied as it comes.</summary>
internal static class SeriesVerbs
{
    /// <summary>Writes a series into a file, which bears its name only when it is whole.</summary>
    /// <param name="server">The server.</param>
    /// <param name="path">The file; packed if its name ends with .gz.</param>
    /// <param name="series">The parameters of the url.</param>
    /// <param name="output">Takes what is said.</param>
    internal static async Task<int> ExportAsync(ServerClient server, string path, string series, VerbOutput output)
    {
        string unfinished = path + ".unfinished";
        long bytes;
        try
        {
            using HttpResponseMessage response = await server.ExportSeriesAsync(series);
            await using Stream lines = await response.Content.ReadAsStreamAsync();
            if (path == "-")
            {
                await using Stream console = Console.OpenStandardOutput();
                bytes = await CopyAsync(lines, console);
            }
            else
            {
                await using var file = new WrittenFile(unfinished);
                if (path.EndsWith(".gz", StringComparison.OrdinalIgnoreCase))
                {
                    await using var packed = new GZipStream(file, CompressionLevel.Fastest);
                    bytes = await CopyAsync(lines, packed);
                }
                else
                {
                    bytes = await CopyAsync(lines, file);
                }
            }
        }
        catch (Exception failure) when (failure is ServerException { IsDatabaseMissing: false } or IOException)
        {
            await output.Lines.WriteLineAsync($"The export stopped: {failure.Message}");
            if (File.Exists(unfinished))
            {
                File.Delete(unfinished);
            }

            return failure is FileFailedException ? ExitCode.WrongUsage : ExitCode.ServerFailed;
        }

        if (path != "-")
        {
            File.Move(unfinished, path, overwrite: true);
        }

        output.Set("Bytes", bytes);
        await output.Lines.WriteLineAsync($"{bytes} bytes were written.");
        return ExitCode.Success;
    }

    /// <summary>Reads a file, plain or gzip, into a series.</summary>
    internal static async Task<int> ImportAsync(ServerClient server, string path, string series, VerbOutput output)
    {
        await using Stream file = path == "-" ? Console.OpenStandardInput() : File.OpenRead(path);
        try
        {
            using JsonDocument result = await server.ImportSeriesAsync(series, file);
            long entries = result.RootElement.GetProperty("Entries").GetInt64();
            output.Set("Entries", entries);
            await output.Lines.WriteLineAsync($"{entries} entries were written.");
            return ExitCode.Success;
        }
        catch (ServerException failure) when (!failure.IsDatabaseMissing)
        {
            await output.Lines.WriteLineAsync($"The import of {path} failed: {failure.Message}");
            return failure.Status == HttpStatusCode.BadRequest ? ExitCode.BrokenInput : ExitCode.ServerFailed;
        }
    }

    private static async Task<long> CopyAsync(Stream source, Stream target)
    {
        byte[] buffer = new byte[64 * 1024];
        long copied = 0;
        for (int read; (read = await source.ReadAsync(buffer)) > 0; copied += read)
        {
            await target.WriteAsync(buffer.AsMemory(0, read));
        }

        return copied;
    }
}
