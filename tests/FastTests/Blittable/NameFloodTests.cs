using System.Text;
using FastTests.Support;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace FastTests.Blittable;

/// <summary>Names made to collide must not make a parser slow: the hash is keyed, and probing is bounded.</summary>
public sealed class NameFloodTests : IDisposable
{
    private const int Count = 32_768;
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    [Trait("Invariant", "NAMES-2")]
    public void Names_of_one_hash_cost_a_longer_table_and_no_time()
    {
        // The worst case for an attacker who knows the key: the whole cache is one chain.
        Cost.AssertWork(20, () => InternAll(new PropertyNames(_ => 42)), () => InternAll(new PropertyNames()));
    }

    private static void InternAll(PropertyNames names)
    {
        names.Begin();
        for (int i = 0; i < Count; i++)
        {
            int index = names.Intern(Encoding.ASCII.GetBytes($"name{i}"));
            Assert.Equal($"name{i}", Encoding.ASCII.GetString(names.TextOf(index)));
            names.IdOf(index);
        }

        Assert.Equal(Count, names.DocumentCount);
    }

    [Fact]
    [Trait("Invariant", "BUILD-1")]
    public void An_object_of_many_names_is_found_sorted_and_without_duplicates()
    {
        string[] names = [.. Enumerable.Range(0, Count).Select(i => $"n{i * 7919 % Count}")];
        string json = "{" + string.Join(',', names.Select(name => $"\"{name}\":\"{name}\"")) + "}";
        BlittableObject document = Documents.Parse(_context, json).AsObject();
        foreach (string name in names)
        {
            Assert.True(document[Encoding.ASCII.GetBytes(name)].StringEquals(Encoding.ASCII.GetBytes(name)));
        }

        string twice = json[..^1] + $",\"{names[5]}\":1}}";
        byte[] utf8 = Encoding.UTF8.GetBytes(twice);
        Assert.False(_context.Parser.TryParse(utf8, BlittableMode.ToMemory, out _, out JsonError error));
        Assert.Equal(json.Length, error.Byte);
    }

    [Fact]
    public void Documents_are_read_right_after_many_that_each_had_other_names()
    {
        for (int i = 0; i < 30_000; i++)
        {
            byte[] json = Encoding.UTF8.GetBytes($$"""{"id{{i}}":1,"x":{"key{{i * 31}}":2} }""");
            Assert.True(_context.Parser.TryParse(json, BlittableMode.ToMemory, out BlittableObject document, out _));
            Assert.Equal(2, document.Count);
            Assert.True(document.TryGet("x"u8, out _));
            _context.Reset();
        }
    }
}
