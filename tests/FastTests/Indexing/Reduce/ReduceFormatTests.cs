using System.Globalization;
using System.Text;
using FastTests.Architecture;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace FastTests.Indexing.Reduce;

/// <summary>What a map-reduce index has on disk is the golden file: docs/formats/reduce.md.</summary>
public sealed class ReduceFormatTests
{
    private const string Golden = "tests/FastTests/Indexing/Reduce/reduce-format-1.txt";

    [Fact]
    public void The_structures_of_a_reduce_have_the_bytes_of_the_golden_file()
    {
        using ReduceBench bench = new(() => ReduceBench.Compile(
            "from r in results group r by r.Key into g select new { Key = g.Key, Total = 100 / g.Sum(x => x.Total) }"));
        bench.Batch(() =>
        {
            bench.Map("d/1", ("a", 1), (null, 2));
            bench.Map("d/2", ("zero", 0));
            for (int i = 0; i < 70; i++)
            {
                bench.Map($"e/{i}", ("large", i));
            }
        });
        bench.Batch(() => bench.Delete("e/1"));
        StringBuilder text = new();
        bench.Read(transaction => Write(text, transaction));
        string path = Path.Combine(SourceTree.Root, Golden);
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(path, text.ToString());
        }

        Assert.Equal(File.ReadAllText(path), text.ToString());
    }

    private static void Write(StringBuilder text, ReadTransaction transaction)
    {
        foreach (string name in new[] { "Reduce.Documents", "Reduce.Keys", "Reduce.Nodes" })
        {
            TreeCursor cursor = transaction.TryOpenTree(name)!.GetCursor();
            for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
            {
                text.Append(CultureInfo.InvariantCulture, $"{name} {Convert.ToHexString(cursor.Key)} ")
                    .Append(Convert.ToHexString(cursor.Value.Span)).Append('\n');
            }
        }

        FixedTreeCursor groups = transaction.TryOpenFixedTree("Reduce.Groups"u8)!.GetCursor();
        for (bool more = groups.SeekFirst(); more; more = groups.MoveNext())
        {
            text.Append(CultureInfo.InvariantCulture, $"Reduce.Groups {groups.Key} ")
                .Append(Convert.ToHexString(groups.Value.Span)).Append('\n');
        }
    }
}
