using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Documents.Rows;

namespace FastTests.Documents;

/// <summary>The set of keys that a request has met.</summary>
public sealed class KeyMapTests
{
    [Fact]
    public void Keys_are_numbered_in_the_order_in_which_they_are_first_added()
    {
        Random random = new(20261121);
        using Arena arena = new();
        KeyMap map = new(seed: 42);
        for (int round = 0; round < 50; round++)
        {
            map.Clear();
            Dictionary<string, int> model = [];
            int different = random.Next(1, 300);
            for (int i = 0; i < 1000; i++)
            {
                string text = $"users/{random.Next(different)}";
                NativeSlice key = arena.Allocate(text.Length);
                System.Text.Encoding.ASCII.GetBytes(text, key.WritableSpan);
                bool expectedNew = model.TryAdd(text, model.Count);
                Assert.Equal(expectedNew ? -1 : model[text], map.Find(key.Span));
                Assert.Equal(model[text], map.FindOrAdd(key, out bool isNew));
                Assert.Equal(expectedNew, isNew);
            }

            Assert.Equal(model.Count, map.Count);
            Assert.All(model, pair =>
                Assert.Equal(pair.Key, System.Text.Encoding.ASCII.GetString(map[pair.Value].Span)));
            arena.Reset();
        }
    }

    [Fact]
    public void A_key_map_that_is_used_again_allocates_nothing()
    {
        using Arena arena = new();
        KeyMap map = new(seed: 42);
        Assert.Equal(0, Allocated.Least(() =>
        {
            map.Clear();
            for (int i = 0; i < 1000; i++)
            {
                NativeSlice key = arena.Allocate(sizeof(int));
                BitConverter.TryWriteBytes(key.WritableSpan, i % 700);
                map.FindOrAdd(key, out _);
            }

            arena.Reset();
        }));
        Assert.Equal(700, map.Count);
    }
}
