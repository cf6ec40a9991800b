// Assembly.cs: C's tests have state of their own, and print: one after the other.
[assembly: Xunit.CollectionBehavior(DisableTestParallelization = true)]
[assembly: System.Runtime.CompilerServices.DisableRuntimeMarshalling]
