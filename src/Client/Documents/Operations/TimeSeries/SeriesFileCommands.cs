using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>Requests that carry a time series as a file.</summary>
internal static class SeriesFileCommands
{
    private const string Packed = ".gz";

    /// <summary>The format of a file, by its name without .gz.</summary>
    internal static TimeSeriesFileFormat FormatOf(string file) =>
        (IsPacked(file) ? file[..^Packed.Length] : file).EndsWith(".csv", StringComparison.OrdinalIgnoreCase)
            ? TimeSeriesFileFormat.Csv
            : TimeSeriesFileFormat.JsonLines;

    /// <summary>Whether a file is packed by gzip, by its name; one that is read is known by its first bytes.</summary>
    internal static bool IsPacked(string file) => file.EndsWith(Packed, StringComparison.OrdinalIgnoreCase);

    /// <summary>Sends a file, and gives how many entries it had.</summary>
    internal static SimpleCommand<long> Import(
        string documentId, string name, Stream stream, TimeSeriesFileFormat format) => new(
        node => Url(node, documentId, name, format).ToRequest(HttpMethod.Post, new BorrowedStreamContent(stream)),
        response => response.ReadJson().GetProperty("Entries").GetInt64(), isRead: false)
        {
            CanSendAgain = () => false,
            Timeout = Timeout.InfiniteTimeSpan,
        };

    private static UrlBuilder Url(ServerNode node, string documentId, string name, TimeSeriesFileFormat format) =>
        new UrlBuilder(node, "/streams/timeseries").Add("docId", documentId).Add("name", name)
            .Add("format", format == TimeSeriesFileFormat.Csv ? "csv" : "jsonl");

    /// <summary>Begins to read a series; the caller reads the answer as it arrives, and disposes it.</summary>
    internal sealed class Export(
        string documentId, string name, TimeSeriesFileFormat format, DateTime? from, DateTime? to)
        : RavenCommand<HttpResponseMessage>
    {
        internal override bool IsStream => true;

        protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
            Url(node, documentId, name, format).Add("from", SeriesTime.TextOf(from)).Add("to", SeriesTime.TextOf(to))
                .ToRequest(HttpMethod.Get);

        protected internal override HttpResponseMessage? ReadResponse(RavenResponse response) => null;

        internal override HttpResponseMessage ReadStream(HttpResponseMessage response) => response;
    }
}
