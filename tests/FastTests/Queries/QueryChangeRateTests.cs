using FastTests.Support;
using Raven.Blittable.Contexts;
using Raven.Documents.Operations;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Changes;
using Shared.Storage;

namespace FastTests.Queries;

/// <summary>A change by query that may do so many documents in a second, beside a clock that stands still.</summary>
public sealed class QueryChangeRateTests
{
    private const int Documents = 60;

    [Theory]
    [InlineData("from Users update { this.Age++; }", 2, 1)]
    [InlineData("from Users", 2, 1)]
    [InlineData("from Users update { this.Age++; }", 50, 5)]
    [InlineData("from Users", 50, 5)]
    [InlineData("from Users update { this.Age++; }", 1_000_000, Documents)]
    public async Task A_change_by_query_does_no_more_documents_in_a_second_than_it_may(
        string query, int perSecondMax, int first)
    {
        using IndexedDatabase database = new();
        database.Begin();
        for (int i = 0; i < Documents; i++)
        {
            database.Put($"users/{i}", """{"Age":1,"@metadata":{"@collection":"Users"}}""");
        }

        database.Submit();
        ManualClock clock = new();
        using OperationContextPool contexts = new();
        QueryServices services = new(clock) { HashSeed = 7, Contexts = contexts };
        RunningOperation operation = new OperationRegistry(clock, _ => { }).Begin("test");
        using QueryChange change = new(services, database.Database, operation, perSecondMax, CancellationToken.None);
        QueryInput input = QueryInput.Of(query);
        Task running = Task.Run(() =>
            input.Rql.Update is null ? change.DeleteAsync(input) : change.PatchAsync(input));

        // No time passes, so that it waits behind the first ones.
        await Deadline.UntilAsync(() => operation.Processed != 0 || running.IsCompleted);
        Assert.Equal(first, operation.Processed);
        Random random = new(3);
        double seconds = 0;
        while (!running.IsCompleted)
        {
            clock.Advance(TimeSpan.FromSeconds(0.5));
            seconds += 0.5;
            await Deadline.ShakeAsync(random, 2);
            Assert.InRange(operation.Processed, first, first + (perSecondMax * seconds));
        }

        await running;
        Assert.Equal(Documents, operation.Processed);
        Assert.Equal(input.Rql.Update is null ? 0 : Documents, database.Ask("from Users").Total);
    }
}
