using System.Globalization;
using System.Text.Json;
using Raven.Client.Documents.Identity;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reserves the next range of numbers for ids (HiLo).</summary>
internal sealed class NextHiLoCommand(string tag, HiLoRange? last, char separator) : RavenCommand<HiLoRange>
{
    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/hilo/next").Add("tag", tag).Add("lastBatchSize", last?.Size ?? 0)
            .Add("lastRangeAt", last?.RangeAt.ToString("O", CultureInfo.InvariantCulture))
            .Add("identityPartsSeparator", separator.ToString()).Add("lastMax", last?.High ?? 0)
            .ToRequest(HttpMethod.Get);

    protected internal override HiLoRange ReadResponse(RavenResponse response)
    {
        JsonElement json = response.ReadJson();
        return new HiLoRange(
            json.GetProperty("Prefix").GetString()!, json.GetProperty("Low").GetInt64(),
            json.GetProperty("High").GetInt64(), json.GetProperty("LastSize").GetInt64(),
            json.GetProperty("ServerTag").GetString(), json.GetProperty("LastRangeAt").GetDateTime());
    }
}
