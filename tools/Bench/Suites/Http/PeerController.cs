using Microsoft.AspNetCore.Mvc;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>The actions of the MVC peer; public because MVC finds only public controllers.</summary>
[ApiController]
public sealed class PeerController : ControllerBase
{
    /// <summary>The fixed answer under a literal path.</summary>
    [HttpGet("/build/version")]
    public Task GetVersionAsync() => PeerServer.WriteBodyAsync(HttpContext);

    /// <summary>The fixed answer under a path with a captured name.</summary>
    [HttpGet("/databases/{database}/docs")]
    public Task GetDocumentAsync(string database)
    {
        ArgumentNullException.ThrowIfNull(database);
        return PeerServer.WriteBodyAsync(HttpContext);
    }

    /// <summary>What the 400 other routes lead to.</summary>
    [HttpGet("/other")]
    public Task GetOtherAsync() => PeerServer.WriteBodyAsync(HttpContext);
}
