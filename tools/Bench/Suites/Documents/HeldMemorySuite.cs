using System.Net.Http.Headers;
using System.Text;
using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// What a server still holds half a minute after a large load: documents and indexes are in files, so that memory that
/// is in no file has nothing to keep.
/// </summary>
internal sealed class HeldMemorySuite : IBenchSuite
{
    private const string HeldName = "5,000,000 documents loaded with two automatic indexes: memory held 30 s later";
    private const int DocumentCount = 5_000_000;
    private const double MegabytesMax = 300;
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan IndexingMax = TimeSpan.FromMinutes(20);

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (context.Wants(HeldName))
        {
            yield return new BenchRow
            {
                Name = HeldName,
                Unit = "MB",
                Target = BenchTarget.AtMost(MegabytesMax),
                WarmUpRuns = 0,
                Runs = 1,
                Ours = () => MeasureAsync(Path.Combine(context.ScratchDirectory, "held")).GetAwaiter().GetResult(),
            };
        }
    }

    private static async Task<double> MeasureAsync(string folder)
    {
        using ServerUnderTest server = ServerUnderTest.StartOurs(folder);
        using var client = new HttpClient { BaseAddress = server.Url, Timeout = TimeSpan.FromMinutes(5) };
        using (var record = new StringContent("{}", Encoding.UTF8, new MediaTypeHeaderValue("application/json")))
        {
            (await client.PutAsync("/admin/databases?name=held", record)).EnsureSuccessStatusCode();
        }

        await ItemLoad.LoadIndexedAsync(client, "held", DocumentCount);
        await ItemLoad.WaitForIndexesAsync(client, "held", IndexingMax);
        await Task.Delay(Rest);
        return server.ReadAnonymousMegabytes();
    }
}
