using System.Globalization;
using System.Xml;

namespace Raven.Tools.SlowestTests;

/// <summary>
/// Reads a <c>.trx</c> file, the result file of <c>dotnet test --logger trx</c> (namespace TeamTest/2010).
/// </summary>
public static class TestRunFile
{
    /// <summary>
    /// The outcome of a test that passed and reported that it could test nothing on this machine: xunit 2 has no other
    /// way for that while a test runs.
    /// </summary>
    public const string NotTested = "NotTested";

    private const string NotTestedLine = "not tested: ";

    /// <summary>All tests of the file, in its order. The file is read as a stream: runs of 100,000 tests fit.</summary>
    /// <exception cref="InvalidDataException">The file is no result file; the message names it and the
    /// line.</exception>
    public static List<TestOutcome> Read(string path)
    {
        var outcomes = new List<TestOutcome>();
        try
        {
            using var reader = XmlReader.Create(path);
            int depth = int.MaxValue - 2;
            reader.MoveToContent();
            if (reader.LocalName != "TestRun")
            {
                throw new InvalidDataException($"{path} is not a test result file: its root is <{reader.LocalName}>");
            }

            while (reader.Read())
            {
                if (reader is { NodeType: XmlNodeType.Element, LocalName: "UnitTestResult" })
                {
                    outcomes.Add(ReadOutcome(reader));
                    depth = reader.Depth;
                }
                else if (reader is { NodeType: XmlNodeType.Element, LocalName: "StdOut" } && reader.Depth == depth + 2
                    && reader.ReadElementContentAsString().StartsWith(NotTestedLine, StringComparison.Ordinal))
                {
                    outcomes[^1] = outcomes[^1] with { Outcome = NotTested };
                }
            }
        }
        catch (XmlException broken)
        {
            throw new InvalidDataException($"{path}, line {broken.LineNumber}: {broken.Message}", broken);
        }

        return outcomes;
    }

    /// <summary>The result file written last under a folder, or null if there is none.</summary>
    public static string? FindNewest(string directory) => !Directory.Exists(directory)
        ? null
        : new DirectoryInfo(directory).EnumerateFiles("*.trx", SearchOption.AllDirectories)
            .MaxBy(file => file.LastWriteTimeUtc)?.FullName;

    private static TestOutcome ReadOutcome(XmlReader reader)
    {
        // A test that did not run has no duration.
        _ = TimeSpan.TryParse(reader.GetAttribute("duration"), CultureInfo.InvariantCulture, out TimeSpan duration);
        return new TestOutcome(
            reader.GetAttribute("testName") ?? "?", duration, reader.GetAttribute("outcome") ?? "NotExecuted");
    }
}
