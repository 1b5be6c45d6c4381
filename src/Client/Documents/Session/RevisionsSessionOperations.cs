using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;

namespace Raven.Client.Documents.Session;

/// <summary>The calls on revisions of one session, asynchronous and blocking.</summary>
internal sealed class RevisionsSessionOperations(AsyncDocumentSession session)
    : IAsyncRevisionsSessionOperations, IRevisionsSessionOperations
{
    public async Task<List<T>> GetForAsync<T>(
        string id, int start = 0, int pageSize = 25, CancellationToken cancellationToken = default)
    {
        List<JsonElement> read = await ReadAsync(
            new GetRevisionsCommand { Id = id, Start = start, PageSize = pageSize }, cancellationToken)
            .ConfigureAwait(false);
        return [.. read.Select(Deserialize<T>)];
    }

    public async Task<List<IMetadataDictionary>> GetMetadataForAsync(
        string id, int start = 0, int pageSize = 25, CancellationToken cancellationToken = default)
    {
        List<JsonElement> read = await ReadAsync(
            new GetRevisionsCommand { Id = id, Start = start, PageSize = pageSize, MetadataOnly = true },
            cancellationToken).ConfigureAwait(false);
        return [.. read.Select(revision => new MetadataDictionary(revision.GetProperty("@metadata")))];
    }

    public Task<T?> GetAsync<T>(string changeVector, CancellationToken cancellationToken = default) =>
        GetOneAsync<T>(new GetRevisionsCommand { ChangeVectors = [changeVector] }, cancellationToken);

    public Task<T?> GetAsync<T>(string id, DateTime date, CancellationToken cancellationToken = default) =>
        GetOneAsync<T>(new GetRevisionsCommand { Id = id, Before = date }, cancellationToken);

    public Task<long> GetCountForAsync(string id, CancellationToken cancellationToken = default) =>
        session.ExecuteAsync(new CountRevisionsCommand(id), cancellationToken);

    public void ForceRevisionCreationFor(string id) => session.Defer(new ForceRevisionCommandData(id));

    public void ForceRevisionCreationFor<T>(T entity) where T : notnull =>
        ForceRevisionCreationFor(session.InfoOf(entity).Id);

    public List<T> GetFor<T>(string id, int start = 0, int pageSize = 25) =>
        GetForAsync<T>(id, start, pageSize).GetAwaiter().GetResult();

    public List<IMetadataDictionary> GetMetadataFor(string id, int start = 0, int pageSize = 25) =>
        GetMetadataForAsync(id, start, pageSize).GetAwaiter().GetResult();

    public T? Get<T>(string changeVector) => GetAsync<T>(changeVector).GetAwaiter().GetResult();

    public T? Get<T>(string id, DateTime date) => GetAsync<T>(id, date).GetAwaiter().GetResult();

    public long GetCountFor(string id) => GetCountForAsync(id).GetAwaiter().GetResult();

    private async Task<T?> GetOneAsync<T>(GetRevisionsCommand command, CancellationToken cancellationToken)
    {
        List<JsonElement> read = await ReadAsync(command, cancellationToken).ConfigureAwait(false);
        return read is [JsonElement first, ..] ? Deserialize<T>(first) : default;
    }

    private async Task<List<JsonElement>> ReadAsync(GetRevisionsCommand command, CancellationToken cancellationToken)
    {
        List<JsonElement>? read = await session.ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
        return [.. read!.Where(revision => revision.ValueKind == JsonValueKind.Object)];
    }

    private T Deserialize<T>(JsonElement revision) =>
        (T)session.Deserialize(revision, typeof(T), SessionCore.IdOf(revision));
}
