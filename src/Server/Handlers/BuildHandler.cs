using System.Text;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route with the version of this server.</summary>
internal static class BuildHandler
{
    private static readonly FixedResponse Version = FixedResponse.Json(Encoding.UTF8.GetBytes($$"""
        {"ProductVersion":"{{ServerVersion.Short}}","BuildVersion":{{ServerVersion.Build}},"CommitHash":"",
        "AssemblyVersion":"{{ServerVersion.Short}}",
        "FullVersion":"{{ServerVersion.Product}}-raven-{{ServerVersion.Program}}"}
        """.Replace("\n", "", StringComparison.Ordinal)));

    /// <summary>The version as JSON, for other answers.</summary>
    internal static ReadOnlyMemory<byte> VersionJson => Version.Body;

    [Route("GET", "/build/version", Access.ValidUser, Place = Place.Node, Summary = "Which server this is")]
    internal static ValueTask GetVersionAsync(RequestContext request) => request.Response.WriteFixedAsync(Version);
}
