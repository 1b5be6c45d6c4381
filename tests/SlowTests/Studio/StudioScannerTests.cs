using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using SlowTests.Support;
using BlittableDocuments = FastTests.Blittable.Documents;

namespace SlowTests.Studio;

/// <summary>
/// The Studio's scanner of JSON on mutated documents: beside the reader of the runtime that it runs in, and beside the
/// server. A failure names its seed; <c>node build/fuzz.mjs scan SEED 1</c> in <c>src/Studio</c> replays it.
/// </summary>
[Trait(Category.Shard, "studio-fuzz")]
public sealed class StudioScannerTests
{
    private const int ComparedSeeds = 120_000; // some are no UTF-8
    private const int ComparedMin = 100_000;
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(4.5);

    private static string Folder { get; } = Path.Combine(NodeProgram.Root, "src", "Studio");

    [Theory]
    [InlineData(1)]
    [InlineData(2_500_001)]
    [InlineData(5_000_001)]
    [InlineData(7_500_001)]
    public void Mutated_texts_are_taken_as_the_runtime_takes_them_and_laid_out_as_they_are(int seed)
    {
        List<string> printed = [];
        string[] arguments = ["build/fuzz.mjs", "scan", Text(seed), "2500000"];
        (int code, string errors) = NodeProgram.Run(Folder, arguments, Limit, printed.Add);
        Assert.True(code == 0, errors);
        Assert.Contains("2500000 texts", Assert.Single(printed), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_hundred_thousand_mutated_documents_are_read_as_the_server_reads_them()
    {
        List<string> texts = [];
        (int code, string errors) = NodeProgram.Run(
            Folder, ["build/fuzz.mjs", "texts", "1", Text(ComparedSeeds)], Limit, texts.Add);
        Assert.True(code == 0, errors);
        Assert.InRange(texts.Count, ComparedMin, ComparedSeeds);
        using Process compare = NodeProgram.Start(Folder, "build/fuzz.mjs", "compare", "1", Text(ComparedSeeds));
        Task<string> output = compare.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        Task<string> said = compare.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        try
        {
            WriteReadings(texts, compare.StandardInput);
        }
        catch (IOException)
        {
            // It has found a difference, ended, and said which.
        }

        await compare.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.True(compare.ExitCode == 0, await said);
        using JsonDocument counts = JsonDocument.Parse(await output);
        Assert.Equal(texts.Count, counts.RootElement.GetProperty("count").GetInt32());

        // Mutations leave many whole: a test of refusals alone would compare nothing.
        Assert.InRange(counts.RootElement.GetProperty("taken").GetInt32(), 10_000, texts.Count);
    }

    /// <summary>A line each: the document as the server writes what it has read, or null.</summary>
    private static void WriteReadings(List<string> texts, StreamWriter target)
    {
        using OperationContext context = new();
        foreach (string line in texts)
        {
            byte[] utf8 = Encoding.UTF8.GetBytes(JsonSerializer.Deserialize<string>(line)!);
            bool isTaken = context.Parser.TryParse(utf8, BlittableMode.ToDisk, out BlittableObject document, out _);
            string? written = isTaken ? BlittableDocuments.ToJson(document.AsValue()) : null;
            target.WriteLine(JsonSerializer.Serialize(written));
            context.Reset();
        }

        target.Close();
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
