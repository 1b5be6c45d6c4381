using Raven.Client.Documents;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.DependencyInjection;
using Raven.Server;

namespace Raven.Samples.WebApi;

/// <summary>
/// Notes over HTTP: a store for the application, a session for each request, a health check. The database is in this
/// process and in memory, unless <c>--Raven:Url</c> names a server.
/// </summary>
internal static class Program
{
    private const string Database = "notes";

    private static async Task Main(string[] arguments)
    {
        WebApplicationBuilder builder = WebApplication.CreateBuilder(arguments);
        string? url = builder.Configuration["Raven:Url"];
        using ServerHost? own = url is null ? EmbeddedServer.StartInMemory() : null;
        builder.Services.AddRaven(store =>
        {
            store.Urls = [own?.Url ?? url!];
            store.Database = Database;
        });
        await using WebApplication application = builder.Build();
        Map(application);
        IDocumentStore store = application.Services.GetRequiredService<IDocumentStore>();
        if (await store.Maintenance.Server.SendAsync(new GetDatabaseRecordOperation(Database)) is null)
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord(Database)));
        }

        await application.RunAsync();
    }

    private static void Map(WebApplication application)
    {
        application.MapHealthChecks("/healthz");
        application.MapPost("/notes", async (Note note, IAsyncDocumentSession session) =>
        {
            note.Id = null;
            await session.StoreAsync(note);
            await session.SaveChangesAsync();
            return Results.Created(new Uri($"/{note.Id}", UriKind.Relative), note);
        });
        application.MapGet("/notes/{number}", async (string number, IAsyncDocumentSession session) =>
            await session.LoadAsync<Note>($"notes/{number}") is { } note ? Results.Ok(note) : Results.NotFound());
        application.MapGet("/notes", async (string? tag, string? words, IAsyncDocumentSession session) =>
        {
            IRavenQueryable<Note> query = session.Query<Note>();
            query = tag is null ? query : query.Where(note => note.Tags.Contains(tag));
            query = words is null ? query : query.Search(note => note.Text, words);
            return await query.Take(100).ToListAsync();
        });
        application.MapDelete("/notes/{number}", async (string number, IAsyncDocumentSession session) =>
        {
            session.Delete($"notes/{number}");
            await session.SaveChangesAsync();
            return Results.NoContent();
        });
    }
}
