using System.Diagnostics;
using System.Globalization;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Loads albums in a process of its own and is killed there: what it leaves is what a crash of a process leaves. The
/// last albums are in the journal only, as a reader holds them back.
/// </summary>
internal sealed class AlbumLoader : IChildProgram
{
    private const string ProgramName = "albums";
    private const string Announcement = "loaded";
    private const int Batch = 500;

    public string Name => ProgramName;

    /// <summary>Starts one, and kills it when it has loaded.</summary>
    internal static void LoadAndKill(string folder, int albums, int heldAlbums)
    {
        string[] arguments =
        [
            typeof(AlbumLoader).Assembly.Location, ChildProcess.Verb, ProgramName, folder,
            albums.ToString(CultureInfo.InvariantCulture), heldAlbums.ToString(CultureInfo.InvariantCulture),
        ];
        var start = new ProcessStartInfo("dotnet", arguments) { RedirectStandardOutput = true };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("dotnet did not start");
        string? line = process.StandardOutput.ReadLine();
        process.Kill();
        process.WaitForExit();
        if (line != Announcement)
        {
            throw new InvalidOperationException($"The loader of albums ended before it had loaded: {line}");
        }
    }

    public int Run(string[] arguments)
    {
        int albums = int.Parse(arguments[1], CultureInfo.InvariantCulture);
        int held = int.Parse(arguments[2], CultureInfo.InvariantCulture);
        using StorageEnvironment environment =
            StorageEnvironment.Open(new StorageOptions { FileSystem = new RealFileSystem(arguments[0]) });
        var load = new AlbumLoad();
        Write(0, albums - held);
        using ReadTransaction holder = environment.BeginRead();
        Write(albums - held, albums);
        Console.WriteLine(Announcement);
        Thread.Sleep(Timeout.Infinite);
        return 0;

        void Write(int from, int to)
        {
            for (int first = from; first < to; first += Batch)
            {
                load.Write(environment, first, Math.Min(Batch, to - first));
            }
        }
    }
}
