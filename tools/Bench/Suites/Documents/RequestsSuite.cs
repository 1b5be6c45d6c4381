using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>The rows of the HTTP suite over sockets, which are targets of documents too.</summary>
internal sealed class RequestsSuite : IBenchSuite
{
    private readonly HttpSuite _http = new();

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context) => _http.GetRows(context);
}
