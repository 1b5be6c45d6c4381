using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads the documents whose ids begin with a prefix, as they arrive.</summary>
internal sealed class StreamDocumentsCommand(
    string startsWith, string? matches, int start, int pageSize, string? startAfter) : RavenCommand<DocumentLines>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal override bool IsStream => true;

    internal override string Kind => "stream";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/streams/docs").Add("format", "jsonl").Add("startsWith", startsWith)
            .Add("matches", matches).Add("startAfter", startAfter).Add("start", start == 0 ? null : start)
            .Add("pageSize", pageSize == int.MaxValue ? null : pageSize).ToRequest(HttpMethod.Get);

    protected internal override DocumentLines? ReadResponse(RavenResponse response) =>
        throw new InvalidOperationException("A stream is read as it comes.");

    internal override DocumentLines ReadStream(HttpResponseMessage response) => new(response, AnswerTimeMax, StoreEnd);
}
