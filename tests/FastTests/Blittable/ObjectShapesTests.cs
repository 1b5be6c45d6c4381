using System.Globalization;
using System.Text;
using Raven.Blittable.Writing;

namespace FastTests.Blittable;

/// <summary>The tree of the shapes that objects have had.</summary>
public sealed class ObjectShapesTests
{
    private readonly PropertyNames _names = new();
    private readonly ObjectShapes _shapes;

    public ObjectShapesTests() => _shapes = new ObjectShapes(_names);

    [Fact]
    [Trait("Invariant", "SHAPE-1")]
    [Trait("Invariant", "SHAPE-2")]
    public void A_shape_is_a_sequence_of_names_and_a_name_that_it_has_is_a_duplicate()
    {
        int[] names = Intern(3);
        int first = Follow(ObjectShapes.Root, names[0]);
        int firstSecond = Follow(first, names[1]);
        int secondFirst = Follow(Follow(ObjectShapes.Root, names[1]), names[0]);
        Assert.True(first > 0 && firstSecond > 0 && secondFirst > 0);
        Assert.NotEqual(firstSecond, secondFirst);
        Assert.Equal(firstSecond, Follow(Follow(ObjectShapes.Root, names[0]), names[1]));
        Assert.Equal(ObjectShapes.Duplicate, Follow(firstSecond, names[0]));
        Assert.Equal(ObjectShapes.Duplicate, Follow(firstSecond, names[1]));
        Assert.True(Follow(firstSecond, names[2]) > 0);
        Assert.Equal([0, 1], _shapes.OrderOf(firstSecond).ToArray());
        Assert.Equal([1, 0], _shapes.OrderOf(secondFirst).ToArray());
    }

    [Fact]
    [Trait("Invariant", "SHAPE-3")]
    public void The_last_shape_that_followed_is_predicted_at_its_own_place()
    {
        int[] names = Intern(3);
        int around = Follow(ObjectShapes.Root, names[0]);
        int inside = _shapes.Follow(ObjectShapes.Root, ObjectShapes.PlaceInside(around), names[1]);
        Assert.Equal(around, _shapes.Predict(ObjectShapes.PlaceBehind(ObjectShapes.Root)));
        Assert.Equal(inside, _shapes.Predict(ObjectShapes.PlaceInside(around)));
        Assert.Equal(0, _shapes.Predict(ObjectShapes.PlaceInside(inside)));
        int other = Follow(ObjectShapes.Root, names[2]);
        Assert.Equal(other, _shapes.Predict(ObjectShapes.PlaceBehind(ObjectShapes.Root)));
        Assert.Equal(inside, _shapes.Predict(ObjectShapes.PlaceInside(around)));
        Assert.Equal(
            ObjectShapes.PlaceInside(ObjectShapes.Root), ObjectShapes.PlaceInside(ObjectShapes.Unknown));
    }

    [Fact]
    [Trait("Invariant", "SHAPE-4")]
    public void A_path_of_128_names_is_not_continued()
    {
        int shape = ObjectShapes.Root;
        int[] names = Intern(129);
        foreach (int name in names.AsSpan(0, 128))
        {
            shape = Follow(shape, name);
            Assert.True(shape > 0);
        }

        Assert.Equal(ObjectShapes.Unknown, Follow(shape, names[128]));
    }

    [Fact]
    [Trait("Invariant", "SHAPE-4")]
    public void The_tree_has_16384_nodes_at_most_of_16_children_each()
    {
        const int Children = 16;
        int[] names = Intern(100);
        Queue<(int Shape, int Depth)> open = new([(ObjectShapes.Root, 0)]);
        int nodes = 1;
        bool isFull = false;
        while (!isFull)
        {
            (int shape, int depth) = open.Dequeue();
            for (int child = 0; child < Children && !isFull; child++)
            {
                int next = Follow(shape, names[(depth * Children) + child]);
                isFull = next == ObjectShapes.Unknown;
                nodes += isFull ? 0 : 1;
                open.Enqueue((next, depth + 1));
            }

            Assert.Equal(ObjectShapes.Unknown, Follow(shape, names[99]));
        }

        Assert.Equal(16 * 1024, nodes);
    }

    private int Follow(int shape, int name) => _shapes.Follow(shape, ObjectShapes.PlaceBehind(shape), name);

    /// <summary>Names in the order of their bytes.</summary>
    private int[] Intern(int count) =>
    [
        .. Enumerable.Range(0, count).Select(i =>
            _names.Intern(Encoding.ASCII.GetBytes($"name{i.ToString("D3", CultureInfo.InvariantCulture)}"))),
    ];
}
