using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;

namespace Raven.Client.Documents.Session;

/// <summary>The calls on counters of one session, asynchronous and blocking.</summary>
internal sealed class SessionDocumentCounters(AsyncDocumentSession session, string id)
    : IAsyncSessionDocumentCounters, ISessionDocumentCounters
{
    public void Increment(string counter, long delta = 1)
    {
        ArgumentException.ThrowIfNullOrEmpty(counter);
        CountersBatchCommandData command = Command();
        if (command.HasDelete(counter))
        {
            throw new InvalidOperationException(
                $"The counter '{counter}' of '{id}' is to be deleted by this save: it cannot be incremented too.");
        }

        command.Increment(counter, delta);
    }

    public void Delete(string counter)
    {
        ArgumentException.ThrowIfNullOrEmpty(counter);
        Command().Delete(counter);
    }

    public async Task<long?> GetAsync(string counter, CancellationToken cancellationToken = default)
    {
        Dictionary<string, long?> values = await GetAsync([counter], cancellationToken).ConfigureAwait(false);
        return values[counter];
    }

    public async Task<Dictionary<string, long?>> GetAsync(
        IEnumerable<string> counters, CancellationToken cancellationToken = default)
    {
        string[] names = [.. counters];
        string[] wanted = [.. names.Where(name => !session.Counters.TryGet(id, name, out _)).Distinct()];
        if (wanted.Length > 0)
        {
            Dictionary<string, long?>? read = await session.ExecuteAsync(
                new GetCountersCommand(id, wanted), cancellationToken).ConfigureAwait(false);
            session.Counters.Set(id, wanted.Select(name => KeyValuePair.Create(name, (long?)null)), isAll: false);
            session.Counters.Set(id, read ?? [], isAll: false);
        }

        Dictionary<string, long?> values = new(StringComparer.OrdinalIgnoreCase);
        foreach (string name in names)
        {
            session.Counters.TryGet(id, name, out long? value);
            values[name] = value;
        }

        return values;
    }

    public async Task<Dictionary<string, long?>> GetAllAsync(CancellationToken cancellationToken = default)
    {
        if (!session.Counters.TryGetAll(id, out Dictionary<string, long?> values))
        {
            Dictionary<string, long?>? read = await session.ExecuteAsync(
                new GetCountersCommand(id, []), cancellationToken).ConfigureAwait(false);
            session.Counters.Set(id, read ?? [], isAll: true);
            session.Counters.TryGetAll(id, out values);
        }

        return values.Where(pair => pair.Value != null)
            .ToDictionary(pair => pair.Key, pair => pair.Value, StringComparer.OrdinalIgnoreCase);
    }

    public long? Get(string counter) => GetAsync(counter).GetAwaiter().GetResult();

    public Dictionary<string, long?> Get(IEnumerable<string> counters) => GetAsync(counters).GetAwaiter().GetResult();

    public Dictionary<string, long?> GetAll() => GetAllAsync().GetAwaiter().GetResult();

    private CountersBatchCommandData Command()
    {
        CountersBatchCommandData? command = session.Deferred.OfType<CountersBatchCommandData>()
            .FirstOrDefault(known => string.Equals(known.Id, id, StringComparison.OrdinalIgnoreCase));
        if (command is null)
        {
            command = new CountersBatchCommandData(id);
            session.Deferred.Add(command);
        }

        return command;
    }
}
