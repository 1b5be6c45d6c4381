using System.Net;
using Raven.Server.Http.Admission;

namespace Raven.Server.Http.Studio;

/// <summary>
/// Where a browser may take the Studio's scripts and styles from, as Content-Security-Policy says it: the folder of its
/// files on this host, and not the whole host, which also has attachments with the content types of their writers.
/// </summary>
internal static class StudioSource
{
    private const string WholeHost = "'self'";

    /// <summary>The source for the page of a request.</summary>
    internal static string Of(RequestContext request)
    {
        string host = request.Headers.Host.ToString();
        string known = request.Server.Options.PublicServerUrl?.Authority ?? host;
        string source = OfHost(host);
        string other = OfHost(known);
        return source == WholeHost || other == WholeHost ? WholeHost
            : known.Equals(host, StringComparison.OrdinalIgnoreCase) ? source
            : $"{source} {other}";
    }

    /// <summary>Without a scheme it has that of the page, also behind a proxy that ends TLS. Other addresses than
    /// 127.0.0.1, and names with other characters, match nothing by the rules of these policies.</summary>
    private static string OfHost(string host) =>
        HostHeader.TryReadName(host, out ReadOnlySpan<char> name)
            && (name is "127.0.0.1" || !IPAddress.TryParse(name, out _)) && IsPlain(host)
            ? host + StudioFiles.AssetsPath
            : WholeHost;

    private static bool IsPlain(string host)
    {
        foreach (char one in host)
        {
            if (!char.IsAsciiLetterOrDigit(one) && one is not ('-' or '.' or ':'))
            {
                return false;
            }
        }

        return true;
    }
}
