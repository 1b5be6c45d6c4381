using System.Globalization;

namespace Raven.Server.Http;

/// <summary>Whether a client has the configuration that it is to have.</summary>
internal static class ConfigurationRefresh
{
    private const string EtagHeader = "Client-Configuration-Etag";
    private const string RefreshHeader = "Refresh-Client-Configuration";

    /// <summary>Sets the header that makes a client with an older configuration ask for the new one.</summary>
    internal static void AddHeader(RequestContext request)
    {
        long etag = Math.Max(
            request.Database.Settings?.Client?.Etag ?? 0, request.Server.Databases.ClientConfiguration?.Etag ?? 0);
        if (etag > 0 && long.TryParse(
            request.Headers[EtagHeader].ToString(), NumberStyles.None, CultureInfo.InvariantCulture, out long known)
            && known < etag)
        {
            request.Response.Headers[RefreshHeader] = "true";
        }
    }
}
