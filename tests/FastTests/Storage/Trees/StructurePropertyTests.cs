using FastTests.Support;
using Shared.Storage.Structures;

namespace FastTests.Storage.Trees;

/// <summary>
/// A hundred lists of two hundred operations on each structure of an environment, each commit audited, with a reader
/// beside the writer.
/// </summary>
[Trait(Proof.Row, Proof.Models)]
public sealed class StructurePropertyTests
{
    [Fact]
    public void Any_list_of_operations_leaves_a_tree_as_its_model_says() => Check(ModelStructure.Tree);

    [Fact]
    public void Any_list_of_operations_leaves_a_fixed_tree_as_its_model_says() => Check(ModelStructure.Others[0]);

    [Fact]
    public void Any_list_of_operations_leaves_a_multi_value_tree_as_its_model_says() => Check(ModelStructure.Others[1]);

    [Fact]
    public void Any_list_of_operations_leaves_a_table_as_its_model_says() => Check(ModelStructure.Others[2]);

    [Fact]
    public void Any_list_of_operations_leaves_streams_as_their_model_says() => Check(ModelStructure.Others[3]);

    private static void Check(ModelStructure structure) =>
        ModelProperty.Check(structure, lists: 100, operations: 200, new ModelSettings(Keys: 60) { Readers = 1 });
}
