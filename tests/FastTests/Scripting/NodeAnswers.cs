using System.IO.Compression;
using System.Runtime.CompilerServices;

namespace FastTests.Scripting;

/// <summary>
/// Node's answers to the generated scripts of the seeds 1 to <see cref="Count"/>, one line each, in a file beside this
/// one. SlowTests compares the file with a running node, and rewrites it if DEV_RECORD_ANSWERS is set.
/// </summary>
internal static class NodeAnswers
{
    internal const int Count = 3000;

    internal static string FilePath { get; } = Path.Combine(Folder(), "node-answers.gz");

    /// <summary>Comparable text of an outcome: errors by their kind, as their messages differ.</summary>
    internal static string Normalize(string outcome)
    {
        if (!outcome.StartsWith('!'))
        {
            return outcome;
        }

        int end = outcome.IndexOf(':', StringComparison.Ordinal);
        return end < 0 ? outcome : outcome[..end];
    }

    internal static string[] Read()
    {
        using FileStream file = File.OpenRead(FilePath);
        using GZipStream unpacked = new(file, CompressionMode.Decompress);
        using StreamReader reader = new(unpacked);
        return reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>Runs every n-th script and compares what it gives with what node gave.</summary>
    internal static void Compare(int first, int step)
    {
        string[] answers = Read();
        Assert.Equal(Count, answers.Length);
        List<string> failures = [];
        for (int seed = first; seed <= answers.Length; seed += step)
        {
            string script = new ScriptGenerator(seed).Generate();
            string? ours = ScriptRunner.TryRunWithinLimits(script);
            if (ours is not null && Normalize(ours) != Normalize(answers[seed - 1]))
            {
                failures.Add($"seed {seed}\n  ours {ours}\n  node {answers[seed - 1]}");
            }
        }

        Assert.True(failures.Count == 0, string.Join('\n', failures.Take(5)));
    }

    internal static void Write(IEnumerable<string> answers)
    {
        using FileStream file = File.Create(FilePath);
        using GZipStream packed = new(file, CompressionLevel.SmallestSize);
        using StreamWriter writer = new(packed);
        foreach (string answer in answers)
        {
            writer.Write(answer + "\n");
        }
    }

    private static string Folder([CallerFilePath] string here = "") => Path.GetDirectoryName(here)!;
}
