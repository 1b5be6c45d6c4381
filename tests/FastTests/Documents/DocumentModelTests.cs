using FastTests.Support;

namespace FastTests.Documents;

/// <summary>
/// Random batches against <see cref="DocumentModel"/>, with restarts; everything that can be read is compared.
/// </summary>
[Trait(Proof.Row, Proof.Models)]
public sealed class DocumentModelTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(20261121)]
    [Trait("Invariant", "CV-3")]
    [Trait("Invariant", "SCH-1")]
    [Trait("Invariant", "SCH-2")]
    [Trait("Invariant", "SCH-3")]
    [Trait("Invariant", "SCH-4")]
    public void After_random_batches_a_database_is_equal_to_its_model(int seed)
    {
        Random random = new(seed);
        DocumentModel model = new();
        using TestDatabase database = new();
        for (int step = 0; step < 250; step++)
        {
            database.Clock.Now += TimeSpan.FromMilliseconds(random.Next(1000));
            DocumentModelCheck.Step(random, model, database, $"seed {seed}, step {step}");
            if (random.Next(40) == 0)
            {
                database.Restart();
            }
            else if (random.Next(40) == 0)
            {
                database.Database.TryClose();
            }

            if (step % 10 == 0)
            {
                DocumentModelCheck.Compare(model, database.Database);
            }
        }

        database.Restart();
        DocumentModelCheck.Compare(model, database.Database);
    }

    /// <summary>A hundred lists; SlowTests play 20,000 longer ones.</summary>
    [Fact]
    public void After_any_list_of_operations_a_database_is_equal_to_its_model() =>
        DocumentProperty.Check(lists: 100, operations: 200);
}
