using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Gives back the unused rest of a range of numbers (HiLo).</summary>
internal sealed class HiLoReturnCommand(string tag, long last, long end) : RavenCommand<bool>
{
    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/hilo/return").Add("tag", tag).Add("end", end).Add("last", last)
            .ToRequest(HttpMethod.Put);

    protected internal override bool ReadResponse(RavenResponse response) => true;
}
