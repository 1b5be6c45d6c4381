using System.Runtime.CompilerServices;
using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>The pages of a transaction, if the system has no memory for more of them.</summary>
public sealed class DirtyPagesTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Pages_stay_as_they_are_if_the_system_refuses_memory_for_another(int refused)
    {
        using var pages = new DirtyPages();
        int count = Fill(pages);
        int left = refused;
        pages.BeforeAllocation = () => Refuse(ref left);
        Assert.Throws<InsufficientMemoryException>(() => { pages.Add(Number(count)); });
        Assert.Equal(count, pages.Count);
        for (int i = 0; i < count; i++)
        {
            Assert.Equal(Number(i), pages[i].Page);
            Assert.Equal(i, pages.PositionOf(ref pages.Find(Number(i))));
        }

        Assert.True(Unsafe.IsNullRef(ref pages.Find(Number(count))));
        pages.BeforeAllocation = null;
        Assert.Equal(Number(count), pages.Add(Number(count)).Page);
        Assert.Equal(0, pages.PositionOf(ref pages.Find(Number(0))));
        pages.Clear();
        Assert.True(Unsafe.IsNullRef(ref pages.Find(Number(0))));
    }

    [Fact]
    public void Pages_of_a_giant_transaction_are_forgotten_even_if_memory_for_the_next_one_is_refused()
    {
        const int Count = 70_000;
        using var pages = new DirtyPages();
        for (int i = 0; i < Count; i++)
        {
            pages.Add(Number(i));
        }

        int left = 1;
        pages.BeforeAllocation = () => Refuse(ref left);
        pages.Clear();
        Assert.Equal(0, left);
        Assert.Equal(0, pages.Count);
        for (int i = 0; i < Count; i++)
        {
            Assert.True(Unsafe.IsNullRef(ref pages.Find(Number(i))));
        }

        Assert.Equal(Number(7), pages.Add(Number(7)).Page);
    }

    /// <summary>As many as there is room for.</summary>
    private static int Fill(DirtyPages pages)
    {
        const int Room = 64;
        for (int i = 0; i < Room; i++)
        {
            pages.Add(Number(i));
        }

        return Room;
    }

    private static void Refuse(ref int left)
    {
        if (--left == 0)
        {
            throw new InsufficientMemoryException();
        }
    }

    private static long Number(int i) => 1_000 + 7L * i;
}
