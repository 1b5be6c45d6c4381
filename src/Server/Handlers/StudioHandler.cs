using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Studio;

namespace Raven.Server.Handlers;

/// <summary>The routes of the Studio's page and files: they are the same for all, and hold no data.</summary>
internal static class StudioHandler
{
    [Route("GET", "/", Access.Anyone, Place = Place.Node, Summary = "Leads a browser to the Studio")]
    internal static ValueTask GetRootAsync(RequestContext request)
    {
        StudioPage.Redirect(request);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/studio", Access.Anyone, Place = Place.Node, Summary = "Leads a browser to the Studio")]
    internal static ValueTask GetFolderAsync(RequestContext request) => GetRootAsync(request);

    [Route("GET", "/studio/$", Access.Anyone, Place = Place.Node,
        Summary = "The Studio's page, for each of its places")]
    internal static ValueTask GetPageAsync(RequestContext request)
    {
        StudioPage.WriteIndex(request);
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/studio/a/*/$", Access.Anyone, Place = Place.Node,
        Summary = "A file of the Studio, by the hash of all of them")]
    internal static ValueTask GetFileAsync(RequestContext request)
    {
        StudioPage.WriteFile(request, request.Capture(0).ToString(), request.Capture(1).ToString());
        return ValueTask.CompletedTask;
    }
}
